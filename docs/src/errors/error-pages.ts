import type { ErrorCode } from '@parley/core'
import { errorInfoSchema } from '@parley/core/schema'
import * as z from 'zod'
import type { Page } from '../page.ts'
import { MODEL_ERRORS } from './model-errors.ts'
import { OUTSIDE_ERRORS } from './outside-errors.ts'
import { RUN_ERRORS } from './run-errors.ts'
import { STORE_ERRORS } from './store-errors.ts'
import { TOOL_ERRORS } from './tool-errors.ts'
import type { ErrorEntry } from './error-entry.ts'

/** The entry of every code. A code without an entry does not compile. */
const ENTRIES: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...MODEL_ERRORS,
  ...TOOL_ERRORS,
  ...RUN_ERRORS,
  ...STORE_ERRORS,
  ...OUTSIDE_ERRORS,
}

const GROUPS = [
  ['Models', MODEL_ERRORS],
  ['Tools', TOOL_ERRORS],
  ['Runs, agents and settings', RUN_ERRORS],
  ['Stores', STORE_ERRORS],
  ['Servers, files and addresses', OUTSIDE_ERRORS],
] as const

/** The errors of core. Its declarations do not name zod, which made the schema. */
export const ERROR_SCHEMAS = (
  errorInfoSchema as unknown as z.ZodDiscriminatedUnion<z.ZodObject<{ code: z.ZodLiteral<ErrorCode> }>[]>
).options

/** Makes a page for each error code of core, and a list of all codes. */
export function errorPages(): readonly Page[] {
  const pages = ERROR_SCHEMAS.map(option => errorPage(option.shape.code.value, option.shape))
  return [indexPage(), ...pages]
}

function errorPage(code: ErrorCode, shape: Readonly<Record<string, z.ZodType>>): Page {
  const { cause, remedy } = ENTRIES[code]
  const rows = Object.entries(shape)
    .filter(([name]) => name !== 'code')
    .map(([name, field]) => `| \`${name}${field.safeParse(undefined).success ? '?' : ''}\` | ${typeOf(field)} |`)
  const fields =
    rows.length === 0 ? [] : ['## Fields of `info`', '| field | type |', ['| --- | --- |', ...rows].join('\n')]
  const [heading, head, body] = fields
  const table = heading === undefined ? [] : [heading, `${head}\n${body}`]
  const text = [
    `# \`${code}\``,
    `**Cause.** ${cause}`,
    `**What to do.** ${remedy}`,
    ...table,
    `[All error codes](./index.md)`,
  ].join('\n\n')
  return { path: `errors/${code}.md`, text: `${text}\n` }
}

function typeOf(field: z.ZodType): string {
  const schema = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  const values = schema.enum?.map(value => `\`${String(value)}\``)
  if (values !== undefined) return values.join(', ')
  if (schema.type === 'array') return 'list'
  return typeof schema.type === 'string' ? schema.type : 'JSON'
}

function indexPage(): Page {
  const sections = GROUPS.map(([title, entries]) => {
    const rows = Object.entries<ErrorEntry>(entries).map(
      ([code, { cause }]) => `| [\`${code}\`](./${code}.md) | ${cause} |`,
    )
    return [`## ${title}`, ['| code | cause |', '| --- | --- |', ...rows].join('\n')].join('\n\n')
  })
  const intro = [
    '# Errors',
    'A known failure is a `ParleyError`. Its `code` is one of these, its `info` has the facts as data, and its `docs` is the address of',
    'the page about its code: `parley docs errors/model-auth` prints that page. Expected failures of a run are not thrown by `run.result`;',
    'they are data with the same codes. Any other error that leaves Parley is a bug.',
  ]
  return { path: 'errors/index.md', text: `${intro[0]}\n\n${intro.slice(1).join('\n')}\n\n${sections.join('\n\n')}\n` }
}
