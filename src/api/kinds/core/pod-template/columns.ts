import { columnsOf, containerColumns, labelsCell, nameColumn, text } from '../../../machinery/columns/cells.ts'
import type { PodTemplate } from '../../../types.ts'

export const podTemplateColumns = columnsOf<PodTemplate>([
  nameColumn,
  ...containerColumns<PodTemplate>(({ template }) => template?.spec?.containers, 0),
  text('Pod Labels', 'The labels of the pods that are made from it.', ({ template }) => labelsCell(template?.metadata?.labels)),
])
