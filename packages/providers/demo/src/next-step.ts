import { messageText, type Json, type Message, type ModelRequest, type ToolMessage } from '@parley/core'
import { countIn } from './count-in.ts'
import { findExpression, operationIn } from './find-expression.ts'
import { findTool, type ToolKind } from './find-tool.ts'

/** The next answer of the demo model: text, and possibly a tool call. */
export interface DemoStep {
  readonly say: string
  readonly call?: { readonly name: string; readonly input: Json } | undefined
}

const WHAT_I_AM =
  'I am the offline demo model of Parley: I follow simple rules and do not think. I can work out sums, read or list ' +
  'files, count things in them, tell the date, and send an e-mail, as far as I am given tools for it. For real answers set ' +
  'OPENAI_API_KEY (and OPENAI_BASE_URL for any other OpenAI-shaped server).'

/** Decides the next step from the last question of the transcript and the tool results after it. */
export function nextStep(request: ModelRequest): DemoStep {
  const { messages } = request
  const asked = messages.findLastIndex(message => message.role === 'user')
  const question = asked < 0 ? '' : messageText(messages[asked] as Message)
  const results = messages.slice(asked + 1).filter(message => message.role === 'tool')
  const failed = results.find(result => result.isError === true)
  if (failed !== undefined) return { say: `That did not work: ${messageText(failed)}` }

  const report = reportOf(question)
  if (report !== undefined) return { say: report }
  const mail = sendMail(request, question, results)
  if (mail !== undefined) return mail
  const expression = findExpression(question)
  if (expression !== undefined) return calculate(request, { expression, results, intro: '' })
  if (/\b(?:date|day|time|clock|today)\b/i.test(question) && findTool(request, 'time') !== undefined)
    return tellTime(request, results)
  const namesFile = /\b(?:readme|packages?|\w+\.[a-z]{2,4})\b/i.test(question)
  if (!namesFile && /\b(?:list|directory|folder|which files|what files)\b/i.test(question)) {
    return listFiles(request, results)
  }
  if (namesFile || /\b(?:file|read|document)\b/i.test(question)) return readFile(request, question, results)
  return { say: WHAT_I_AM }
}

/** Repeats the findings of "Write a report of …: FINDINGS", a list of JSON or a text. `undefined` for another question. */
function reportOf(question: string): string | undefined {
  const findings = /^(?:write|give)[^:\n]*\b(?:report|summary)\b[^:\n]*:\s*(\S[\s\S]*)$/i.exec(question)?.[1]
  if (findings === undefined) return undefined
  const lines = toTexts(findings) ?? findings.trim().split('\n')
  return ['Report', ...lines.map(line => `- ${line}`)].join('\n')
}

function toTexts(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) && value.every(item => typeof item === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

interface Calculation {
  readonly expression: string
  readonly results: readonly ToolMessage[]
  /** Text that precedes the result. */
  readonly intro: string
}

function calculate(request: ModelRequest, { expression, results, intro }: Calculation): DemoStep {
  const tool = findTool(request, 'calculate')
  const result = results.find(({ name }) => name === tool?.name)
  if (result !== undefined) return { say: `${intro}${expression} = ${messageText(result)}.` }
  if (tool === undefined) return { say: `${intro}I have no calculator tool to work out ${expression}.` }
  return {
    say: `${intro}I will work out ${expression}. `,
    call: { name: tool.name, input: { [tool.field]: expression } },
  }
}

/** Follows "Send an e-mail to ADDRESS: TEXT". `undefined` for another question, or without a tool that sends. */
function sendMail(request: ModelRequest, question: string, results: readonly ToolMessage[]): DemoStep | undefined {
  const [, to, text = ''] = /\bmail\b[^@]*?([\w.+-]+@[\w-]+(?:\.[\w-]+)+)[\s:,]*(.*)$/is.exec(question) ?? []
  const tool = findTool(request, 'mail')
  if (to === undefined || tool === undefined) return undefined
  if (results.some(({ name }) => name === tool.name)) return { say: `The e-mail to ${to} is sent.` }
  const rest = Object.fromEntries(tool.others.map(name => [name, text === '' ? 'Hello.' : text]))
  return { say: `I will write to ${to}. `, call: { name: tool.name, input: { [tool.field]: to, ...rest } } }
}

function tellTime(request: ModelRequest, results: readonly ToolMessage[]): DemoStep {
  return askOnce(request, 'time', {
    results,
    input: {},
    say: 'I will look at the clock. ',
    tell: text => `The clock says: ${text}`,
  })
}

function listFiles(request: ModelRequest, results: readonly ToolMessage[]): DemoStep {
  return askOnce(request, 'list', {
    results,
    input: '.',
    say: 'I will list the files. ',
    tell: text => `These are the files:\n${text}`,
  })
}

function readFile(request: ModelRequest, question: string, results: readonly ToolMessage[]): DemoStep {
  const path = /[\w./-]+\.\w{1,5}\b/.exec(question)?.[0] ?? 'README.md'
  const tell = (text: string): DemoStep => {
    const count = countIn(text, question)
    const operation = count === undefined ? undefined : operationIn(question, count.number)
    if (count === undefined) return { say: `${path} begins:\n${text.trim().split('\n').slice(0, 5).join('\n')}` }
    const found = `${path} lists ${count.number} ${count.things}`
    if (operation === undefined) return { say: `${found}.` }
    return calculate(request, { expression: operation, results, intro: `${found}. ` })
  }
  const tool = findTool(request, 'read')
  const result = results.find(({ name }) => name === tool?.name)
  if (result !== undefined) return tell(messageText(result))
  if (tool === undefined) return { say: `I have no tool to read ${path} with.` }
  return { say: `I will read ${path} first. `, call: { name: tool.name, input: { [tool.field]: path } } }
}

interface Asking {
  readonly results: readonly ToolMessage[]
  readonly input: string | Record<string, never>
  readonly say: string
  readonly tell: (text: string) => string
}

function askOnce(request: ModelRequest, kind: ToolKind, { results, input, say, tell }: Asking): DemoStep {
  const tool = findTool(request, kind)
  const result = results.find(({ name }) => name === tool?.name)
  if (result !== undefined) return { say: tell(messageText(result)) }
  if (tool === undefined) return { say: 'I was given no tool for that.' }
  return { say, call: { name: tool.name, input: typeof input === 'string' ? { [tool.field]: input } : input } }
}
