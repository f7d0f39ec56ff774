import type { CompleteResult } from '@modelcontextprotocol/server'
import { checkOptions, type OptionKinds } from '@parley/core'

/** An argument of a served prompt, or a variable in the URI template of a served resource. */
export interface McpServedArgument {
  /** Tells the user what to write. @default none */
  readonly description?: string | undefined
  /** Whether a prompt needs the argument. The variables of a URI template are always required. @default false */
  readonly required?: boolean | undefined
  /**
   * Values that clients may suggest while the user writes: a list, of which the values with the written beginning are
   * suggested, or a function that returns the suggestions. @default none
   */
  readonly complete?: readonly string[] | McpCompleter | undefined
}

/**
 * Returns suggestions for an argument.
 * @param written The value written so far.
 * @param known Values of the other arguments, if the client sends them.
 */
export type McpCompleter = (
  written: string,
  known: Readonly<Record<string, string>>,
) => readonly string[] | Promise<readonly string[]>

/** Arguments by name. */
export type McpServedArguments = Readonly<Record<string, McpServedArgument>>

const ARGUMENT: OptionKinds<McpServedArgument> = { description: 'string', required: 'boolean', complete: 'any' }
/** The protocol allows no more suggestions in one answer. */
const MOST = 100

/** @throws ParleyError `config-invalid` */
export function checkArguments(where: string, given: McpServedArguments = {}): void {
  for (const [name, argument] of Object.entries(given)) checkOptions(`${where}.${name}`, argument, ARGUMENT)
}

export async function suggestValues(
  { complete = [] }: McpServedArgument,
  written: string,
  known: Readonly<Record<string, string>>,
): Promise<CompleteResult> {
  const start = written.toLowerCase()
  const values =
    typeof complete === 'function'
      ? await complete(written, known)
      : complete.filter(value => value.toLowerCase().startsWith(start))
  return { completion: { values: values.slice(0, MOST), total: values.length, hasMore: values.length > MOST } }
}
