import { ParleyError, type Json } from '@parley/core'
import type { KeyPath } from '../schema/config.ts'
import type { Problem } from '../parse/problem.ts'
import { isFields } from '../parse/value-at.ts'
import type { FileReader } from './inline-files.ts'
import { readBelow } from './read-below.ts'

/** Creates a reader of files below a folder. It adds unreadable files to `problems`. */
export function createFileReader(folder: string, problems: Problem[]): FileReader {
  async function text(file: string, key: KeyPath): Promise<string | undefined> {
    try {
      return await readBelow(folder, file)
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      problems.push({ key, detail: `cannot be used: ${error.message}` })
      return undefined
    }
  }
  return {
    text,
    async object(file, key) {
      const json = await text(file, key)
      if (json === undefined) return undefined
      const value = parseJson(json)
      if (isFields(value)) return value as Record<string, Json>
      problems.push({ key, detail: `names '${file}', which must contain a JSON object` })
      return undefined
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
