import type { SourceModule } from './source-module.ts'
import type { Violation } from './violation.ts'

const MAX_MEMBERS = 20
const MAX_LINES = 250

/** Reports classes that are too large to be read as one thing. Tests and fixtures do not count. */
export function checkClasses({ file, facts }: SourceModule): readonly Violation[] {
  if (file.dev) return []
  return facts.classes
    .filter(({ members, lines }) => members > MAX_MEMBERS || lines > MAX_LINES)
    .map(({ name, members, lines, line }) => ({
      rule: 'class',
      file: file.path,
      line,
      message: `${name} has ${members} members and ${lines} lines; at most ${MAX_MEMBERS} and ${MAX_LINES} are allowed. Move a part of its state with its methods into a class of its own.`,
    }))
}
