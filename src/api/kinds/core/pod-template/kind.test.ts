import { creates } from '../../../testing/judge-rows.ts'
import { podTemplate } from '../../../testing/make-object.ts'
import { podTemplates, validatePodTemplate } from './kind.ts'

const metadata = { name: 'a', namespace: 'default' }
creates(validatePodTemplate, { type: 'core.PodTemplate', strategy: podTemplates.strategy, base: { metadata, template: podTemplate } }, [
  ['a plain one', {}, []],
  ['no containers', { template: { spec: { containers: [] } } }, ['template.spec.containers: Required value']],
])
