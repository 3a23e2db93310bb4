import { parentPort, workerData } from 'node:worker_threads';
import { type ModuleSources, readBrowserModules } from './browser-modules.ts';

// Started by page-files: stripping types takes a moment, in which the thread that serves goes on serving.
parentPort?.postMessage(readBrowserModules(workerData as ModuleSources));
