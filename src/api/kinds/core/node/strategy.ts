import { keepSpec, keepStatus } from '../../../machinery/kept-fields.ts'
import type { Strategy } from '../../../machinery/kind.ts'
import { andAsNew } from '../../../machinery/validation/metadata.ts'
import type { Node } from '../../../types.ts'
import { defaultNode } from './defaults.ts'
import { validateNode, validateNodeStatusUpdate, validateNodeUpdate } from './validation.ts'

/** The status is kept at creation: a kubelet registers its node with it. */
export const nodeStrategy: Strategy<Node> = {
  names: 'dns-subdomain',
  default: defaultNode,
  prepareForCreate(node) {
    if (node.spec) delete node.spec.configSource
    if (node.status) delete node.status.config
  },
  prepareForUpdate(next, current) {
    keepStatus(next, current)
    if (next.spec && !current.spec?.configSource) delete next.spec.configSource
  },
  prepareForStatusUpdate(next, current) {
    keepSpec(next, current)
    if (next.status && !current.status?.config) delete next.status.config
  },
  validate: validateNode,
  validateUpdate: andAsNew('cluster', 'dns-subdomain', validateNodeUpdate),
  validateStatusUpdate: validateNodeStatusUpdate,
  warnings: ({ spec }) => [
    ...(spec?.configSource ? ['spec.configSource: the feature is removed'] : []),
    ...(spec?.externalID ? ['spec.externalID: this field is deprecated, and is unused by Kubernetes'] : []),
  ],
}
