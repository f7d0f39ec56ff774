import { select, text } from '@clack/prompts'
import { PROVIDERS, STORES, TEMPLATES, namesOf } from './choices.ts'
import type { ProjectOptions } from './create-project.ts'
import type { Flags } from './read-flags.ts'
import { SetupError } from './setup-error.ts'

/** Asks for what the flags leave open. With `yes` it takes the defaults. */
export async function askChoices({ yes, ...flags }: Flags, isTerminal: boolean): Promise<ProjectOptions> {
  if (!yes && !isTerminal) refuseMissing(flags)
  const folder =
    flags.folder ?? (yes ? 'my-agent' : await answered(text({ message: 'Folder', initialValue: 'my-agent' })))
  const template = flags.template ?? (yes ? 'minimal' : await ask('Template', TEMPLATES, 'minimal'))
  const provider = flags.provider ?? (yes ? 'demo' : await ask('Model provider', PROVIDERS, 'demo'))
  const { store: fitting } = TEMPLATES[template]
  const store = flags.store ?? (yes ? fitting : await ask('Store', STORES, fitting))
  return { folder, template, provider, store }
}

function refuseMissing(flags: Omit<Flags, 'yes'>): void {
  if (flags.folder === undefined) throw new SetupError('folder', 'is missing; name one, or use --yes for the defaults')
  for (const name of ['template', 'provider', 'store'] as const)
    if (flags[name] === undefined)
      throw new SetupError(
        `--${name}`,
        `is missing, and this is not a terminal; give it, or use --yes for the defaults`,
      )
}

async function ask<TName extends string>(
  message: string,
  table: Readonly<Record<TName, { readonly hint: string }>>,
  initialValue: NoInfer<TName>,
): Promise<TName> {
  const options = namesOf(table).map(name => ({ value: name as string, label: name, hint: table[name].hint }))
  return (await answered(select({ message, options, initialValue }))) as TName
}

async function answered(asked: Promise<string | symbol>): Promise<string> {
  const answer = await asked
  if (typeof answer === 'symbol') throw new SetupError('cancelled', 'nothing was created')
  return answer
}
