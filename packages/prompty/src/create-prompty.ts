import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import type { Agent } from '@parley/engine'
import { parsePrompty } from './format/parse-prompty.ts'
import type { PromptyAgent } from './format/prompty-agent.ts'
import type { PromptyInputs } from './format/validate-inputs.ts'
import { prepareMessages } from './messages/prepare-messages.ts'
import type { PromptyMessage } from './format/prompty-message.ts'
import { EXECUTE_OPTIONS, executeAgent, type ExecuteOptions } from './run/execute-agent.ts'
import type { PromptyHost } from './host/prompty-host.ts'
import { invokePrompt, runMessages, type InvokeOptions, type RunMessagesOptions } from './run/run-messages.ts'
import { toAgent, type ToAgentOptions } from './run/to-agent.ts'
import { toServedPrompt, type ServedPrompty } from './run/to-served-prompt.ts'

/** A loaded file, or the path of a file. */
export type PromptySource = PromptyAgent | string

/** Functions for `.prompty` files, with the providers, tools and files of one host. They can be destructured. */
export interface Prompty {
  /** Reads a file. @throws ParleyError `file-unreadable`; `config-invalid` with file, line and key. */
  readonly load: (path: string) => Promise<PromptyAgent>
  /** Turns inputs into messages: validates inputs, renders the template, parses roles. No input value can start a message. */
  readonly prepare: (source: PromptySource, inputs?: PromptyInputs) => Promise<readonly PromptyMessage[]>
  /** Calls the model once with these messages. Returns what `invoke` returns. */
  readonly run: (
    source: PromptySource,
    messages: readonly PromptyMessage[],
    options?: RunMessagesOptions,
  ) => Promise<unknown>
  /**
   * Prepares messages and calls the model once. It runs no tools. Returns the text of the answer, or its data if the file has
   * outputs, or the tool calls that the model requests. An `embedding` file returns vectors, and an `image` file returns
   * images.
   */
  readonly invoke: (
    source: PromptySource,
    inputs?: PromptyInputs,
    options?: Omit<InvokeOptions, 'inputs'>,
  ) => Promise<unknown>
  /** Agent mode: calls the model and runs its tools until the model answers. */
  readonly executeAgent: (source: PromptySource, options?: ExecuteOptions) => Promise<unknown>
  /** Makes an agent for a runtime. */
  readonly toAgent: (source: PromptySource, options?: ToAgentOptions) => Promise<Agent & AsyncDisposable>
  /**
   * Makes a prompt that an MCP server can offer (`prompts` of `createMcpServer`). Inputs become arguments. Values of images,
   * audio and files must be data or addresses: a client cannot name a file of the host.
   */
  readonly toServedPrompt: (source: PromptySource) => Promise<ServedPrompty>
}

const OPTIONS: OptionKinds<PromptyHost> = {
  providers: 'object',
  connections: 'object',
  toolKinds: 'object',
  tools: 'object',
  files: 'object',
  environment: 'object',
  fetch: 'function',
}

/** Creates the functions for one host. Files reach only what the host gives: no provider, variable or file by default. */
export function createPrompty(host: PromptyHost = {}): Prompty {
  checkOptions('createPrompty', host, OPTIONS)
  const load = async (path: string): Promise<PromptyAgent> => {
    const { files, environment } = host
    if (files === undefined)
      throw new ParleyError({
        code: 'config-invalid',
        path: 'files',
        detail: "No files can be read here. Import createPrompty from '@parley/prompty/node', or set 'files'.",
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
    async executeAgent(source, options = {}) {
      checkOptions('executeAgent', options, EXECUTE_OPTIONS)
      return executeAgent(host, await open(source), options)
    },
    toAgent: async (source, options) => toAgent(host, await open(source), options),
    toServedPrompt: async source => toServedPrompt(await open(source)),
  }
}
