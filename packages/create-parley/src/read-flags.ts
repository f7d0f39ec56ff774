import { parseArgs } from 'node:util'
import {
  namesOf,
  PROVIDERS,
  STORES,
  TEMPLATES,
  type ProviderName,
  type StoreName,
  type TemplateName,
} from './choices.ts'
import { SetupError } from './setup-error.ts'

/** What the command line says. A missing value is asked for. */
export interface Flags {
  readonly folder?: string | undefined
  readonly template?: TemplateName | undefined
  readonly provider?: ProviderName | undefined
  readonly store?: StoreName | undefined
  /** Takes the defaults instead of asking. */
  readonly yes: boolean
  readonly help: boolean
}

/** Reads the command line. @throws SetupError for an unknown option, or a value that is not among the choices. */
export function readFlags(args: readonly string[]): Flags {
  const { values, positionals } = parse(args)
  const [folder, extra] = positionals
  if (extra !== undefined) throw new SetupError(extra, 'only one folder can be created')
  return {
    folder,
    template: oneOf('--template', values.template, namesOf(TEMPLATES)),
    provider: oneOf('--provider', values.provider, namesOf(PROVIDERS)),
    store: oneOf('--store', values.store, namesOf(STORES)),
    yes: values.yes ?? false,
    help: values.help ?? false,
  }
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        template: text,
        provider: text,
        store: text,
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new SetupError('options', `${(error as Error).message.split('. ')[0]}; see --help`)
  }
}

function oneOf<TName extends string>(flag: string, given: string | undefined, names: readonly TName[]) {
  const found = names.find(name => name === given)
  if (given !== undefined && found === undefined)
    throw new SetupError(flag, `is '${given}'; choose one of ${names.join(', ')}`)
  return found
}
