import { fieldsOf, valueAt } from './value-at.ts'

const SECTIONS = ['profiles', 'agents']

/** Keys whose strings are secrets in parts, MCP servers and services. */
const SECRET_KEYS = /^(?:env|setEnv|headers|auth)$|key$|secret$|token$/i

const OTHER_SECTIONS = ['toolsets', 'middleware', 'inputFilters', 'mcpServers', 'bus', 'otel']

/** Returns the strings that are secrets because of their key: API keys, headers, variables of servers and webhook secrets. */
export function secretsOf(value: unknown): readonly string[] {
  const providers = fieldsOf(valueAt(value, ['providers'])).flatMap(([, provider]) => [
    valueAt(provider, ['apiKey']),
    ...headersOf(provider),
  ])
  const webhooks = SECTIONS.flatMap(section =>
    fieldsOf(valueAt(value, [section])).flatMap(([, agent]) => {
      const webhook = valueAt(agent, ['approval', 'webhook'])
      return [valueAt(webhook, ['secret']), ...headersOf(webhook)]
    }),
  )
  const others = OTHER_SECTIONS.flatMap(section => secretsBelow(valueAt(value, [section]), false))
  return [...providers, ...webhooks, ...others].filter(secret => typeof secret === 'string')
}

function headersOf(value: unknown): readonly unknown[] {
  return fieldsOf(valueAt(value, ['headers'])).map(([, header]) => header)
}

function secretsBelow(value: unknown, isSecret: boolean): readonly unknown[] {
  if (typeof value === 'string') return isSecret ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => secretsBelow(item, isSecret))
  return fieldsOf(value).flatMap(([key, item]) => secretsBelow(item, isSecret || SECRET_KEYS.test(key)))
}
