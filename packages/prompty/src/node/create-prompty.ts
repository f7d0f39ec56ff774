import { createPrompty as createPortablePrompty, type Prompty } from '../create-prompty.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { nodeFiles } from './node-files.ts'

/** `createPrompty` for Node.js: reads the file system and `process.env` by default. */
export function createPrompty({ files = nodeFiles(), environment = process.env, ...host }: PromptyHost = {}): Prompty {
  return createPortablePrompty({ ...host, files, environment })
}
