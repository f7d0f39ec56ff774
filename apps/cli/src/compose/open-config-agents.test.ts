import { configJsonSchema } from '@parley/config'
import { quirkProfiles } from '@parley/openai'
import { expect, it } from 'vitest'

it('has configurations name every quirk profile there is', () => {
  const schema = JSON.stringify(configJsonSchema())
  const [, names = ''] = /"quirks":\{"description":"[^"]*","type":"string","enum":(\[[^\]]*\])/.exec(schema) ?? []
  expect(JSON.parse(names)).toEqual(Object.keys(quirkProfiles))
})
