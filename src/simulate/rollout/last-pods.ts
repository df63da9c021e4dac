import type { Series } from './result.ts'

/** How many pods take room at the end. */
export const lastPods = ({ layers }: Series): number =>
  layers.reduce((sum, { values, state }) => sum + (state === 'waiting' ? 0 : values.at(-1)!), 0)
