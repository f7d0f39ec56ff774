import { describe, expect, it, vi } from 'vitest'
import { chooseModel } from './choose-model.ts'

describe('chooseModel', () => {
  it.each([
    ['the demo model without a key', {}, {}, 'demo/offline'],
    ['the demo model when it is named', { model: 'demo' }, { OPENAI_API_KEY: 'k' }, 'demo/offline'],
    ['the default model with a key', {}, { OPENAI_API_KEY: 'k' }, 'openai/gpt-5-mini'],
    ['the model of the environment', {}, { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }, 'openai/m'],
    ['a model on a named server', { model: 'm', baseUrl: 'http://127.0.0.1:1/v1' }, {}, 'generic/m'],
    [
      'an id with a slash on a named server',
      { model: 'ollama/m', baseUrl: 'http://127.0.0.1:1/v1' },
      {},
      'generic/ollama/m',
    ],
    ["a vendor's own API", { model: 'ollama/llama3' }, {}, 'ollama/llama3'],
  ])('chooseModel returns %s', async (...[, choice, environment, name]) => {
    const { provider, id } = await chooseModel(choice, environment)
    expect(`${provider}/${id}`).toBe(name)
  })

  it.each([
    ['its own key', { OPENAI_API_KEY: 'sk-openai', GROQ_API_KEY: 'gsk-groq' }, 'Bearer gsk-groq'],
    ['no key when it has none', { OPENAI_API_KEY: 'sk-openai' }, null],
  ])('chooseModel sends a service %s and never the key of another service', async (_, environment, expected) => {
    const sent: (string | null)[] = []
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization'))
      return Response.json({ error: { message: 'no' } }, { status: 401 })
    })
    const model = await chooseModel({ model: 'm', baseUrl: 'https://api.groq.com/openai/v1' }, environment)
    const asked = model.stream({ system: [], messages: [], tools: [], settings: {} }, {})[Symbol.asyncIterator]().next()
    await expect(asked).rejects.toMatchObject({ info: { code: 'model-auth' } })
    expect(sent).toEqual([expected])
    fetch.mockRestore()
  })

  it('chooseModel rejects an unknown model and lists the known ones', async () => {
    await expect(chooseModel({ model: 'gpt-9' }, {})).rejects.toThrow(/no model named 'gpt-9'.*demo, anthropic\/<id>/)
  })
})
