import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { MissingPart } from '../notices/floating-notice.tsx';
import { loadPart } from './load-part.ts';
import { whileUnderWay } from './parts-under-way.ts';

/** A component whose code loads when it is first shown. It says so if the server has it no longer. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({
    default: await whileUnderWay(() => loadPart(load)).catch(() => MissingPart),
  }));
}
