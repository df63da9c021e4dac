import { containerCells, labelsCell, nameColumn, nameOf, text } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { PodTemplate } from '../../../types.ts'

export const podTemplateColumns: Columns<PodTemplate> = {
  definitions: [
    nameColumn,
    text('Containers', 'The names of the containers.'),
    text('Images', 'The images of the containers.'),
    text('Pod Labels', 'The labels of the pods that are made from it.'),
  ],
  cells: (template) => [
    nameOf(template),
    ...containerCells(template.template?.spec?.containers),
    labelsCell(template.template?.metadata?.labels),
  ],
}
