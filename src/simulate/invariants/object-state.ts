// The states of stored objects, for the invariants. They share no code with the planners, so that a mistake there is not repeated here.
import type { Job, Pod } from '../../api/types.ts'

export const isTerminal = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed'

export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false

export const isFinished = ({ status }: Job): boolean =>
  status?.conditions?.some(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True') ?? false
