import type { Command, Option } from 'commander'
import { loadCommand } from './load-command.ts'

export interface Candidates {
  readonly candidates: readonly { readonly word: string; readonly about: string }[]
  /** What else may come next and is not known without reading files. @default nothing */
  readonly wants?: 'run' | 'agent' | undefined
}

/** Lists what may replace the last of `words`, the words of a command line after the name of the program. */
export async function candidatesFor(program: Command, words: readonly string[]): Promise<Candidates> {
  const given = words.slice(0, -1)
  const start = words.at(-1) ?? ''
  const { command, option, position } = await walk(program, given)
  if (option !== undefined) return valuesOf(option)
  if (given.includes('--')) return { candidates: [] }
  if (start.startsWith('-')) return { candidates: optionsOf(command) }
  if (command.commands.length > 0) {
    const visible = command.createHelp().visibleCommands(command)
    return { candidates: visible.map(sub => ({ word: sub.name(), about: sub.summary() || sub.description() })) }
  }
  const { registeredArguments: all } = command
  const argument = all[position] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined)
  const choices = argument?.argChoices ?? []
  const candidates = choices.map(word => ({ word, about: '' }))
  return { candidates, wants: argument === undefined ? undefined : wantsOf(argument.name(), command) }
}

interface Place {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option?: Option | undefined
  /** Number of the argument that comes next, from 0. */
  readonly position: number
}

/** Follows the words to the command that they name. */
async function walk(program: Command, words: readonly string[]): Promise<Place> {
  let command = program
  let option: Option | undefined
  let position = 0
  for (const word of words) {
    if (option !== undefined) option = undefined
    else if (word.startsWith('-')) option = optionNamed(word, command)
    else {
      const sub = command.commands.find(each => each.name() === word || each.aliases().includes(word))
      if (sub === undefined) position += 1
      else {
        command = sub
        position = 0
        await loadCommand(sub)
      }
    }
  }
  return { command, option, position }
}

/** Returns the option with this flag if it takes a value, which is then the next word. */
function optionNamed(flag: string, command: Command): Option | undefined {
  const found = command.options.find(({ long, short }) => flag === long || flag === short)
  return found?.required === true || found?.optional === true ? found : undefined
}

function optionsOf(command: Command): Candidates['candidates'] {
  const visible = command.createHelp().visibleOptions(command)
  return visible.map(({ long, short, description }) => ({ word: long ?? short ?? '', about: description }))
}

function valuesOf({ argChoices = [], long }: Option): Candidates {
  return { candidates: argChoices.map(word => ({ word, about: '' })), wants: long === '--parent' ? 'run' : undefined }
}

function wantsOf(argument: string, command: Command): Candidates['wants'] {
  if (argument === 'run') return 'run'
  const takesAgent = command.options.some(({ long }) => long === '--config') && /^(agent|question)$/.test(argument)
  return takesAgent ? 'agent' : undefined
}
