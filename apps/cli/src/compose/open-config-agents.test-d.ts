import type { AnthropicOptions } from '@parley/anthropic'
import type { ProviderFactory, ProviderOptions } from '@parley/config'
import { createGoogle, type GoogleOptions } from '@parley/google'
import { createOllama, type OllamaOptions } from '@parley/ollama'
import { createAnthropic } from '@parley/anthropic'
import { createOpenAI, type OpenAIOptions } from '@parley/openai'
import { expectTypeOf, it } from 'vitest'

it('every provider of the repository can be registered as a ProviderFactory', () => {
  expectTypeOf(createOpenAI).toExtend<ProviderFactory>()
  expectTypeOf(createAnthropic).toExtend<ProviderFactory>()
  expectTypeOf(createGoogle).toExtend<ProviderFactory>()
  expectTypeOf(createOllama).toExtend<ProviderFactory>()
})

it('ProviderOptions has only keys that a provider accepts', () => {
  type Taken = keyof OpenAIOptions | keyof AnthropicOptions | keyof GoogleOptions | keyof OllamaOptions
  expectTypeOf<Exclude<keyof ProviderOptions, Taken>>().toEqualTypeOf<'options'>()
  type Shared = 'name' | 'models' | 'apiKey' | 'baseUrl' | 'headers' | 'wire' | 'timeouts' | 'retry'
  type Everywhere = keyof OpenAIOptions & keyof AnthropicOptions & keyof GoogleOptions & keyof OllamaOptions
  expectTypeOf<Exclude<Shared, Everywhere>>().toEqualTypeOf<never>()
  expectTypeOf<Extract<keyof ProviderOptions, keyof OpenAIOptions>>().toEqualTypeOf<
    Shared | 'api' | 'quirks' | 'organization'
  >()
  expectTypeOf<Extract<keyof ProviderOptions, keyof AnthropicOptions>>().toEqualTypeOf<Shared | 'version' | 'betas'>()
  expectTypeOf<Extract<keyof ProviderOptions, keyof GoogleOptions>>().toEqualTypeOf<Shared>()
  expectTypeOf<Extract<keyof ProviderOptions, keyof OllamaOptions>>().toEqualTypeOf<
    Shared | 'contextWindow' | 'overflow' | 'keepAlive'
  >()
})
