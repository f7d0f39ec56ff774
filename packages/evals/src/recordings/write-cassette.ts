import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Cassette } from './cassette.ts'
import { cassetteText } from './cassette-writer.ts'

/** Writes a cassette file, and replaces an older one at once. */
export function writeCassette(file: string, cassette: Cassette): void {
  mkdirSync(dirname(file), { recursive: true })
  const part = `${file}.part`
  writeFileSync(part, cassetteText(cassette))
  renameSync(part, file)
}
