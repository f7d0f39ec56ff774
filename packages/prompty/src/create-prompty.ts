import { ParleyError } from '@parley/core'
import type { Agent } from '@parley/engine'
import { parsePrompty } from './format/parse-prompty.ts'
import type { PromptyAgent } from './format/prompty-agent.ts'
import type { PromptyInputs } from './format/validate-inputs.ts'
import { prepareMessages } from './messages/prepare-messages.ts'
import type { PromptyMessage } from './format/prompty-message.ts'
import { executeAgent, type ExecuteOptions } from './run/execute-agent.ts'
import type { PromptyHost } from './host/prompty-host.ts'
import { invokePrompt, runMessages, type InvokeOptions, type RunMessagesOptions } from './run/run-messages.ts'
import { toAgent, type ToAgentOptions } from './run/to-agent.ts'

/** A file, or the path of one. */
export type PromptySource = PromptyAgent | string

/** Works with `.prompty` files on one host. Its functions may be taken apart. */
export interface Prompty {
  /** Reads a file. @throws ParleyError `file-unreadable`, `config-invalid` naming file, line and key. */
  readonly load: (path: string) => Promise<PromptyAgent>
  /** Inputs to messages: validates, renders, parses. No value can begin a message. */
  readonly prepare: (source: PromptySource, inputs?: PromptyInputs) => Promise<readonly PromptyMessage[]>
  /** Asks the model once with these messages. See `invoke` for what comes back. */
  readonly run: (
    source: PromptySource,
    messages: readonly PromptyMessage[],
    options?: RunMessagesOptions,
  ) => Promise<unknown>
  /**
   * Prepares, and asks the model once; runs no tools. Gives the answer's text, the data it is when the file has outputs,
   * the calls the model asks for, or what an `embedding` or `image` file makes.
   */
  readonly invoke: (
    source: PromptySource,
    inputs?: PromptyInputs,
    options?: Omit<InvokeOptions, 'inputs'>,
  ) => Promise<unknown>
  /** Agent mode: asks the model and runs its tools until it answers. */
  readonly executeAgent: (source: PromptySource, options?: ExecuteOptions) => Promise<unknown>
  /** The file as an ordinary agent of a runtime. */
  readonly toAgent: (source: PromptySource, options?: ToAgentOptions) => Promise<Agent & AsyncDisposable>
}

/** Nothing is reached but what the host gives: no provider, variable or file is there by itself. */
export function createPrompty(host: PromptyHost = {}): Prompty {
  const load = async (path: string): Promise<PromptyAgent> => {
    const { files, environment } = host
    if (files === undefined)
      throw new ParleyError({
        code: 'config-invalid',
        path: 'files',
        detail: "No files can be read here. Take createPrompty from '@parley/prompty/node', or give 'files'.",
      })
    return parsePrompty(await files.readPrompt(path), { path, environment, files })
  }
  const open = async (source: PromptySource): Promise<PromptyAgent> =>
    typeof source === 'string' ? load(source) : source
  return {
    load,
    prepare: async (source, inputs) => prepareMessages(await open(source), { inputs, files: host.files }),
    run: async (source, messages, options) => runMessages(host, await open(source), { ...options, messages }),
    invoke: async (source, inputs, options) => invokePrompt(host, await open(source), { ...options, inputs }),
    executeAgent: async (source, options) => executeAgent(host, await open(source), options),
    toAgent: async (source, options) => toAgent(host, await open(source), options),
  }
}
