/** A pair of verdicts about the same answer. */
export type Verdicts = readonly [judge: boolean, human: boolean]

/** How far two judges agree. */
export interface Agreement {
  /** Share of equal verdicts. */
  readonly agreement: number
  /**
   * Cohen's kappa: agreement beyond chance. 1 is full agreement, 0 is chance. `undefined` if both judges gave only one and the same
   * verdict, which says nothing.
   */
  readonly kappa: number | undefined
}

/** Computes how far two judges agree. */
export function measureAgreement(verdicts: readonly Verdicts[]): Agreement {
  const share = (holds: (verdict: Verdicts) => boolean): number => verdicts.filter(holds).length / verdicts.length
  const agreement = share(([judge, human]) => judge === human)
  const [judged, labelled] = [share(([judge]) => judge), share(([, human]) => human)]
  const byChance = judged * labelled + (1 - judged) * (1 - labelled)
  return { agreement, kappa: byChance === 1 ? undefined : (agreement - byChance) / (1 - byChance) }
}
