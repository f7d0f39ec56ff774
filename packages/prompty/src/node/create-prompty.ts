import { createPrompty as createPortablePrompty, type Prompty } from '../create-prompty.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { nodeFiles } from './node-files.ts'

/** `createPrompty` on Node.js: reads the machine's files, and the process's environment. */
export function createPrompty({ files = nodeFiles(), environment = process.env, ...host }: PromptyHost = {}): Prompty {
  return createPortablePrompty({ ...host, files, environment })
}
