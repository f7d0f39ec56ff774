import { AGENT_RECIPES } from './agent-recipes.ts'
import { DURABILITY_RECIPES } from './durability-recipes.ts'
import { SAFETY_RECIPES } from './safety-recipes.ts'
import { SERVICE_RECIPES } from './service-recipes.ts'
import type { Recipe } from './recipe.ts'

/** Recipes for one need. */
export interface RecipeGroup {
  readonly title: string
  readonly recipes: readonly Recipe[]
}

export const RECIPES: readonly RecipeGroup[] = [
  { title: 'Build agents', recipes: AGENT_RECIPES },
  { title: 'Survive crashes, and ask a person', recipes: DURABILITY_RECIPES },
  { title: 'Keep agents within limits', recipes: SAFETY_RECIPES },
  { title: 'Connect and watch', recipes: SERVICE_RECIPES },
]
