import { createPrompty as createPortablePrompty, type Prompty } from '../create-prompty.ts'
import type { PromptyHost } from '../host/prompty-host.ts'
import { createNodeFiles } from './create-node-files.ts'

/** `createPrompty` for Node.js: reads the file system and `process.env` by default. */
export function createPrompty({
  files = createNodeFiles(),
  environment = process.env,
  ...host
}: PromptyHost = {}): Prompty {
  return createPortablePrompty({ ...host, files, environment })
}
