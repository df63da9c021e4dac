import type { Strategy } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'
import { validateCsiNode } from './validation.ts'

export const csiNodeStrategy: Strategy<CsiNode> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
  validate: validateCsiNode,
  validateUpdate: (next) => validateCsiNode(next),
}
