import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadPart } from './load-part.ts';
import { OutdatedNotice } from './outdated-notice.tsx';
import { whileUnderWay } from './parts-under-way.ts';

/** A component whose code loads when it is first shown. It says so if the server has it no longer. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({
    default: await whileUnderWay(() => loadPart(load)).catch(() => OutdatedNotice),
  }));
}
