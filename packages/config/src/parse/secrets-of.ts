import { fieldsOf, valueAt } from './value-at.ts'

const SECTIONS = ['profiles', 'agents']

/** Returns the strings that are secrets because of their key: API keys, headers and webhook secrets. */
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
  return [...providers, ...webhooks].filter(secret => typeof secret === 'string')
}

function headersOf(value: unknown): readonly unknown[] {
  return fieldsOf(valueAt(value, ['headers'])).map(([, header]) => header)
}
