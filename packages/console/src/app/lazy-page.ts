import { lazyRouteComponent } from '@tanstack/react-router';
import { loadPart } from '../parts/loading/load-part.ts';

/**
 * Returns a page whose code the browser loads when the page is opened.
 *
 * @param name the component that the module exports
 */
export function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent<Module, Name>(() => loadPart(load), name);
}
