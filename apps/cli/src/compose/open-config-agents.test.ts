import { configJsonSchema } from '@parley/config'
import { quirkProfiles } from '@parley/openai'
import { expect, it } from 'vitest'

it('the configuration schema lists every quirk profile', () => {
  const schema = JSON.stringify(configJsonSchema())
  const [, names = ''] = /"quirks":\{"description":"[^"]*","type":"string","enum":(\[[^\]]*\])/.exec(schema) ?? []
  expect(JSON.parse(names)).toEqual(Object.keys(quirkProfiles))
})
