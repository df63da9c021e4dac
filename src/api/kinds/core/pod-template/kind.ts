// Kubernetes: pkg/printers/internalversion.printPodTemplate
import { columnsOf, containerColumns, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { PodTemplate } from '../../../types.ts'
import { podTemplateStrategy } from './strategy.ts'

export const podTemplates: Kind<PodTemplate> = {
  ...resource('core.PodTemplate'),
  strategy: podTemplateStrategy,
  columns: columnsOf([
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template?.spec?.containers, 0),
    text('Pod Labels', 'The labels of the pods that are made from it.', ({ template }) => labelsCell(template?.metadata?.labels)),
  ]),
  returnsDeletedObject: true,
}
