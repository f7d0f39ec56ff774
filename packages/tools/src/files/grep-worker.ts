import { parentPort, workerData } from 'node:worker_threads'
import type { GrepRequest } from './grep-request.ts'
import { searchFiles } from './search-files.ts'

searchFiles(workerData as GrepRequest, reply => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread has no origin
  parentPort?.postMessage(reply)
})
