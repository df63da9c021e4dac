import type { Strategy } from '../../../machinery/kind.ts'
import type { CsiNode } from '../../../types.ts'

export const csiNodeStrategy: Strategy<CsiNode> = {
  names: 'dns-subdomain',
  unconditionalUpdate: false,
}
