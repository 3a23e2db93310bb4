import { encode } from 'uqr';
import styles from './second-factor.module.css';

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A QR code. It is dark on white in both themes, because many readers expect that. */
export function QrCode({ text, label }: Props) {
  const { data, size } = encode(text, { border: 2 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
