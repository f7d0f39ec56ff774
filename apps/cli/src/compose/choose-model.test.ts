import { describe, expect, it, vi } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('chooseModel', () => {
  it.each([
    ['the demo model without a key', {}, {}, 'demo/offline'],
    ['the demo model when it is named', { model: 'demo' }, { OPENAI_API_KEY: 'k' }, 'demo/offline'],
    ['the default model with a key', {}, { OPENAI_API_KEY: 'k' }, 'openai/gpt-5-mini'],
    ['the model of the environment', {}, { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'openai/m'],
    ['a model of a named server', { model: 'm', baseUrl: 'http://127.0.0.1:1/v1' }, {}, 'generic/m'],
    [
      'an id with a slash of a named server',
      { model: 'ollama/m', baseUrl: 'http://127.0.0.1:1/v1' },
      {},
      'generic/ollama/m',
    ],
    ["a vendor's own API", { model: 'ollama/llama3' }, {}, 'ollama/llama3'],
  ])('is %s', async (...[, choice, environment, name]) => {
    const { provider, id } = await chooseModel(choice, environment)
    expect(`${provider}/${id}`).toBe(name)
  })

  it.each([
    ['its own key', { OPENAI_API_KEY: 'sk-openai', GROQ_API_KEY: 'gsk-groq' }, 'Bearer gsk-groq'],
    ['no key when it has none', { OPENAI_API_KEY: 'sk-openai' }, null],
  ])('shows a service %s, never another’s', async (_, environment, expected) => {
    const shown: (string | null)[] = []
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      shown.push(new Headers(init?.headers).get('authorization'))
      return Response.json({ error: { message: 'no' } }, { status: 401 })
    })
    const model = await chooseModel({ model: 'm', baseUrl: 'https://api.groq.com/openai/v1' }, environment)
    const asked = model.stream({ system: [], messages: [], tools: [], settings: {} }, {})[Symbol.asyncIterator]().next()
    await expect(asked).rejects.toMatchObject({ info: { code: 'model-auth' } })
    expect(shown).toEqual([expected])
    fetch.mockRestore()
  })

  it('says which models there are when the one that is named is none of them', async () => {
    await expect(chooseModel({ model: 'gpt-9' }, {})).rejects.toThrow(/no model named 'gpt-9'.*demo, anthropic\/<id>/)
  })
})
