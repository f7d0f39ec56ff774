import { hintOf } from './nearest-name.ts'
import { isTable, type OptionTable } from './option-kind.ts'

/** Names that other libraries use, and our name for the same thing. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  maxsteps: ['maxTurns'],
  maxiterations: ['maxTurns'],
  recursionlimit: ['maxTurns'],
  stopwhen: ['maxTurns'],
  maxtokens: ['maxTokens', 'maxOutputTokens'],
  maxcompletiontokens: ['maxOutputTokens'],
  maxbudgetusd: ['maxCost'],
  maxtotalcost: ['maxCost'],
  maxtotaltokens: ['maxTokens'],
  maxtotalruns: ['maxRuns'],
  attempts: ['maxRetries'],
  maxattempts: ['maxRetries'],
  retries: ['maxRetries', 'retry'],
  maxretry: ['maxRetries'],
  basedelayms: ['initialDelayMs'],
  system: ['instructions'],
  systemprompt: ['instructions'],
  prompt: ['input', 'instructions'],
  modelsettings: ['settings'],
  modeloptions: ['settings'],
  session: ['sessionId'],
  thread: ['sessionId'],
  threadid: ['sessionId'],
  conversation: ['sessionId'],
  conversationid: ['sessionId'],
  abortsignal: ['signal'],
  messages: ['history'],
  deps: ['context'],
  experimentalcontext: ['context'],
  requestcontext: ['context'],
  user: ['principal'],
  userid: ['principal'],
  parameters: ['input'],
  inputschema: ['input'],
  schema: ['input', 'output'],
  outputschema: ['output'],
  outputtype: ['output'],
  responseformat: ['output'],
  handler: ['execute'],
  handle: ['execute'],
  run: ['execute'],
  func: ['execute'],
  callback: ['execute'],
  needsapproval: ['permission'],
  requiresapproval: ['permission'],
  subagents: ['handoffs', 'agents'],
  functions: ['tools'],
  toolsets: ['tools'],
  mcpservers: ['tools'],
  inputguardrails: ['inputFilters'],
  guardrails: ['inputFilters'],
  key: ['apiKey'],
  token: ['apiKey', 'accessToken'],
  endpoint: ['baseUrl'],
  host: ['baseUrl'],
  url: ['baseUrl', 'url'],
  file: ['path'],
  filename: ['path'],
  database: ['path', 'url'],
  connectionstring: ['url'],
}

/**
 * Suggests the option that an unknown name means: the same letters in another case, a name of another library, an option of a
 * nested object, or a name with few other letters. Otherwise lists the known names.
 */
export function meantOption(name: string, table: OptionTable): string {
  const plain = toPlain(name)
  const paths = pathsOf(table)
  const known = paths.filter(path => !path.includes('.'))
  const nested = paths.filter(path => path.includes('.'))
  const wanted = [name, ...(Object.hasOwn(SYNONYMS, plain) ? (SYNONYMS[plain] ?? []) : [])].map(toPlain)
  const meant =
    known.find(path => toPlain(path) === plain) ??
    wanted
      .map(other => known.find(path => toPlain(path) === other) ?? nested.find(path => endsWith(path, other)))
      .find(isThere) ??
    // `timeout` for `timeoutMs`, `tool` for `tools` and not for `toolExecution`.
    known.filter(path => plain.length > 3 && toPlain(path).startsWith(plain)).toSorted((a, b) => a.length - b.length)[0]
  return meant === undefined ? hintOf(name, known) : `did you mean '${meant}'?`
}

/** The names of a table, and those of its nested tables as `limits.maxTurns`. */
function pathsOf(table: OptionTable): readonly string[] {
  return Object.entries(table).flatMap(([name, kind]) =>
    isTable(kind) ? [name, ...Object.keys(kind).map(inner => `${name}.${inner}`)] : [name],
  )
}

function endsWith(path: string, plain: string): boolean {
  return toPlain(path.slice(path.lastIndexOf('.') + 1)) === plain
}

function toPlain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '')
}

function isThere(path: string | undefined): path is string {
  return path !== undefined
}
