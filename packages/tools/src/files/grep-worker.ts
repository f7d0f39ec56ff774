import { parentPort, workerData } from 'node:worker_threads'
import type { GrepRequest } from './grep-request.ts'
import { searchFiles } from './search-files.ts'

searchFiles(workerData as GrepRequest, reply => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin, threads do not
  parentPort?.postMessage(reply)
})
