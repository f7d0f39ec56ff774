import { askChoices } from './ask-choices.ts'
import { namesOf, PROVIDERS, STORES, TEMPLATES } from './choices.ts'
import { createProject } from './create-project.ts'
import { readFlags } from './read-flags.ts'
import { SetupError } from './setup-error.ts'

/** What the program reads and writes. */
export interface Surroundings {
  readonly args: readonly string[]
  readonly isTerminal: boolean
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

const HELP = `Creates a project with a Parley agent.

  npm create parley@latest [folder] -- [options]

  --template NAME   ${namesOf(TEMPLATES).join(', ')}
  --provider NAME   ${namesOf(PROVIDERS).join(', ')}
  --store NAME      ${namesOf(STORES).join(', ')}
  -y, --yes         takes the defaults instead of asking

Without options it asks.
`

/** Runs the program. Returns the exit code. */
export async function runCreate({ args, isTerminal, out, err }: Surroundings): Promise<0 | 1> {
  try {
    const flags = readFlags(args)
    if (flags.help) {
      out(HELP)
      return 0
    }
    const project = await askChoices(flags, isTerminal)
    await createProject(project)
    const env = [...PROVIDERS[project.provider].env, ...STORES[project.store].env]
    const steps = [
      `cd ${project.folder}`,
      'npm install',
      ...(env.length > 0 ? ['cp .env.example .env'] : []),
      'npm test',
      'npm start',
    ]
    out(
      `Created ${project.folder} from the template ${project.template}. Next:\n${steps.map(step => `  ${step}\n`).join('')}`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    err(`create-parley: ${error.message}\n`)
    return 1
  }
}
