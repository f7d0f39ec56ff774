import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openTypeServer } from './open-type-server.ts'

/** What an editor must show about the names of a program. */
export interface EditorExpectations {
  /** Names whose hover must be short and must name types. */
  readonly hovers: readonly string[]
  /** Functions whose implementation the editor must find. */
  readonly sources: readonly string[]
}

/** A function with its type parameters fits into this many lines. The fields of an inlined type do not. */
const MAX_LINES = 6

/** Asks TypeScript what an editor shows about each name, at its first place in the file. Returns the problems. */
export async function checkEditor(
  folder: string,
  name: string,
  { hovers, sources }: EditorExpectations,
): Promise<readonly string[]> {
  const file = join(folder, name)
  const text = await readFile(file, 'utf8')
  await using server = await openTypeServer(folder, file)
  const problems: string[] = []
  for (const hovered of hovers) {
    const shown = await server.hover(placeOf(file, text, hovered))
    if (shown === '' || shown.includes('Zod') || shown.split('\n').length > MAX_LINES)
      problems.push(`an editor shows this about ${hovered}, instead of the names of its types:\n${shown}`)
  }
  for (const called of sources) {
    const files = await server.sourceDefinition(placeOf(file, text, called))
    if (!files.some(found => found.endsWith('.js')))
      problems.push(`an editor does not find the implementation of ${called}: ${files.join(', ') || 'no file'}`)
  }
  return problems
}

function placeOf(file: string, text: string, name: string): { file: string; line: number; offset: number } {
  const match = new RegExp(`\\b${name}\\b`).exec(text)
  if (match === null) throw new Error(`${file} does not contain ${name}`)
  const before = text.slice(0, match.index).split('\n')
  return { file, line: before.length, offset: (before.at(-1) ?? '').length + 1 }
}
