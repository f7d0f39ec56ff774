import { ParleyError } from '@parley/core'
import { Option, type Command } from 'commander'

/** Flags that select the agent of a server. */
export interface ServerFlags {
  /** Address of the server. @default none: the agent runs in this process */
  readonly server?: string | undefined
  readonly key?: string | undefined
}

/** A server that the flags name. */
export interface NamedServer {
  readonly server: string
  readonly key?: string | undefined
}

/**
 * Adds `--server` and `--key`. `works` are the names of the other options that work with a server, as Commander calls them: for
 * example `json`. @throws ParleyError `config-invalid` before the action if another option is combined with `--server`.
 */
export function withServerFlag(command: Command, works: readonly string[]): Command {
  return command
    .option('--server <url>', 'use the agent of this Parley server; the runs stay there')
    .addOption(new Option('--key <key>', 'API key of the server').env('PARLEY_API_KEY'))
    .hook('preAction', (_, action) => checkFlags(action, works))
}

/** Whether `--server` is set. */
export function isOnServer<TFlags extends ServerFlags>(flags: TFlags): flags is TFlags & NamedServer {
  return flags.server !== undefined
}

/** Makes `--server` fail for a command that no server can execute. `reason` is the error that the user reads. */
export function refuseServer(command: Command, reason: string): void {
  const refuse = (): never => {
    throw new ParleyError({ code: 'config-invalid', path: '--server', detail: reason })
  }
  command.addOption(new Option('--server <url>').hideHelp().argParser(refuse))
}

function checkFlags(action: Command, works: readonly string[]): void {
  const { server } = action.opts<ServerFlags>()
  if (server === undefined) return
  if (!/^https?:$/.test(URL.parse(server)?.protocol ?? ''))
    throw new ParleyError({ code: 'config-invalid', path: '--server', detail: 'must be an http or https address' })
  const known = new Set(['server', 'key', ...works])
  for (const option of action.options) {
    const name = option.attributeName()
    if (known.has(name) || action.getOptionValueSource(name) !== 'cli') continue
    const detail = 'cannot be combined with --server, because the agent and its runs are on the server'
    throw new ParleyError({ code: 'config-invalid', path: option.long ?? name, detail })
  }
}
