import { ParleyError, type Model, type ModelProvider } from '@parley/core'

/** The models that a runtime knows by name. */
export interface ModelDirectory {
  /**
   * Returns the model with this name. For `provider/id`, asks the provider whose name comes before the first `/`.
   * @throws ParleyError `model-unknown`, and what the provider throws.
   */
  get(name: string): Model
}

export function createModelDirectory(
  models: Readonly<Record<string, Model>>,
  providers: readonly ModelProvider[],
): ModelDirectory {
  const made = new Map<string, Model>(Object.entries(models))
  return {
    get(name) {
      let model = made.get(name)
      if (model === undefined) {
        const slash = name.indexOf('/')
        const provider = providers.find(candidate => slash > 0 && candidate.name === name.slice(0, slash))
        if (provider === undefined || slash === name.length - 1) {
          const known = [...Object.keys(models), ...providers.map(each => `${each.name}/<id>`)]
          throw new ParleyError({ code: 'model-unknown', model: name, known })
        }
        model = provider.model(name.slice(slash + 1))
        made.set(name, model)
      }
      return model
    },
  }
}
