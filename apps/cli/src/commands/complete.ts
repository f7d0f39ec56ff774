import type { Command } from 'commander'
import { DEFAULT_DATABASE } from '../store/database.ts'
import { candidatesFor } from '../program/candidates.ts'
import type { Terminal } from '../render/terminal.ts'

/** Defines the hidden command `parley complete -- WORD…`, which the scripts of `parley completion` call. */
export function defineCompleteCommand(command: Command, terminal: Terminal): void {
  command
    .description('Prints the words that may replace the last of the given words, each with its description.')
    .argument('[words...]', 'the words of the command line after its name; the last one is incomplete')
    .action(async (words: readonly string[]) => {
      const program = command.parent ?? command
      const { candidates, wants } = await candidatesFor(program, words)
      const found = [...candidates, ...(wants === undefined ? [] : await valuesOf(wants, words))]
      const start = words.at(-1) ?? ''
      for (const { word, about } of found) if (word.startsWith(start)) terminal.out(`${word}\t${about}\n`)
    })
}

interface Candidate {
  readonly word: string
  readonly about: string
}

/** Reads ids of runs from the database and names of agents from the configuration file that the command line names. */
async function valuesOf(wants: 'run' | 'agent', words: readonly string[]): Promise<readonly Candidate[]> {
  try {
    return wants === 'run' ? await runIds(valueAfter('--db', words) ?? DEFAULT_DATABASE) : await agentNames(words)
  } catch {
    // A shell shows no errors of a completion. The command itself reports them.
    return []
  }
}

const SUGGESTED = 30

async function runIds(database: string): Promise<readonly Candidate[]> {
  const [{ openExistingStore }, { readShortIds }, { ageOf }] = await Promise.all([
    import('../store/open-store.ts'),
    import('../store/read-run.ts'),
    import('../render/age.ts'),
  ])
  await using store = await openExistingStore(database)
  const runs = await store.runs({ scope: 'default', limit: SUGGESTED })
  const ids = await readShortIds(store, runs)
  const now = Date.now()
  return [
    { word: 'last', about: 'the newest run' },
    ...runs.map(({ runId, status, agent, startedAt }) => {
      return { word: ids.get(runId) ?? runId, about: `${agent}, ${status}, ${ageOf(startedAt, now)}` }
    }),
  ]
}

async function agentNames(words: readonly string[]): Promise<readonly Candidate[]> {
  const file = valueAfter('--config', words)
  if (file === undefined) return []
  const { loadConfig } = await import('@parley/config/node')
  const { data } = await loadConfig(file)
  return Object.keys(data.agents ?? {}).map(word => ({ word, about: 'agent' }))
}

function valueAfter(flag: string, words: readonly string[]): string | undefined {
  const joined = words.find(word => word.startsWith(`${flag}=`))
  const at = words.indexOf(flag)
  return joined?.slice(flag.length + 1) ?? (at === -1 ? undefined : words[at + 1])
}
