import { ageColumn, ageOf, containerCells, nameColumn, nameOf, selectorCell, text, wideColumns } from '../../../machinery/columns/cells.ts'
import type { Columns } from '../../../machinery/kind.ts'
import type { Deployment } from '../../../types.ts'

export const deploymentColumns: Columns<Deployment> = {
  definitions: [
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.'),
    text('Up-to-date', 'How many pods have the newest template.'),
    text('Available', 'How many pods have been ready for long enough.'),
    ageColumn,
    ...wideColumns,
  ],
  cells: (deployment, nowMs) => [
    nameOf(deployment),
    `${deployment.status?.readyReplicas ?? 0}/${deployment.spec?.replicas ?? 0}`,
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageOf(deployment, nowMs),
    ...containerCells(deployment.spec?.template?.spec?.containers),
    deploymentSelector(deployment),
  ],
}

// Unlike for other kinds, an empty selector is printed as an empty cell.
const deploymentSelector = (deployment: Deployment) => {
  const cell = selectorCell(deployment.spec?.selector)
  return cell === '<none>' ? '' : cell === '<error>' ? '<invalid>' : cell
}
