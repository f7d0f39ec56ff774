import { fieldsOf, textOf, type Fields } from '@parley/provider-kit'
import type { QuirkProfileName } from './quirk-profiles.ts'

/** A property that only the model list of one kind of server has. */
interface ListClue {
  readonly profile: QuirkProfileName
  /** Completes the sentence "its list of models …". */
  readonly words: string
  readonly holds: (entry: Fields) => boolean
}

const ownedBy =
  (owner: string) =>
  (entry: Fields): boolean =>
    textOf(entry['owned_by']).toLowerCase() === owner

/** Clues in the entries of `GET /models`, the most reliable first. */
export const listClues: readonly ListClue[] = [
  { profile: 'vllm', words: 'is owned by vllm', holds: ownedBy('vllm') },
  { profile: 'llamacpp', words: 'is owned by llamacpp', holds: ownedBy('llamacpp') },
  { profile: 'lmstudio', words: 'is owned by organization_owner', holds: ownedBy('organization_owner') },
  { profile: 'ollama', words: 'is owned by library', holds: ownedBy('library') },
  { profile: 'deepseek', words: 'is owned by deepseek', holds: ownedBy('deepseek') },
  { profile: 'xai', words: 'is owned by xai', holds: ownedBy('xai') },
  { profile: 'moonshot', words: 'is owned by moonshot', holds: ownedBy('moonshot') },
  {
    profile: 'openrouter',
    words: 'has prices and top providers',
    holds: entry => fieldsOf(entry['pricing']) !== undefined && 'top_provider' in entry,
  },
  {
    profile: 'mistral',
    words: 'states which models complete chats',
    holds: entry => 'completion_chat' in (fieldsOf(entry['capabilities']) ?? {}),
  },
  {
    profile: 'groq',
    words: 'states which models are active and the size of their context windows',
    holds: entry => typeof entry['active'] === 'boolean' && typeof entry['context_window'] === 'number',
  },
]

/** A path outside OpenAI's API that only one kind of server answers. */
interface PlaceClue {
  readonly profile: QuirkProfileName
  /** Path from the root of the server. */
  readonly path: string
  readonly holds: (body: Fields) => boolean
}

/**
 * Clues for known servers, in the order in which they are tried. A server that imitates another one comes before that
 * server.
 */
export const placeClues: readonly PlaceClue[] = [
  { profile: 'llamacpp', path: 'props', holds: body => 'default_generation_settings' in body },
  { profile: 'lmstudio', path: 'api/v0/models', holds: body => Array.isArray(body['data']) },
  { profile: 'ollama', path: 'api/version', holds: body => textOf(body['version']) !== '' },
  { profile: 'vllm', path: 'version', holds: body => textOf(body['version']) !== '' },
]
