import type { Command } from 'commander'
import { programName } from './program-name.ts'

/** An example: the words after the name of the program, and what they do. */
export type Example = readonly [words: string, effect: string]

/** Adds examples to the end of a command's help. */
export function withExamples(command: Command, examples: readonly Example[]): Command {
  return command.addHelpText('after', () => {
    const lines = examples.map(([words, effect]) => [`${programName(command)} ${words}`.trimEnd(), effect] as const)
    const width = Math.max(...lines.map(([words]) => words.length))
    const shown = lines.map(([words, effect]) => `  ${words.padEnd(width)}  # ${effect}`)
    return `\nExamples:\n${shown.join('\n')}`
  })
}
