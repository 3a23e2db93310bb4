import { buildPackages } from './packages/build-packages.ts';

// npm run build    makes dist of every package that is published

await buildPackages(process.cwd());
