// Kubernetes: pkg/printers/internalversion.printDeployment
import { ageColumn, columnsOf, containerColumns, nameColumn, selectorCell, selectorColumn, text } from '../../../machinery/columns/cells.ts'
import type { Kind } from '../../../machinery/kind.ts'
import { resource } from '../../../machinery/schema/resource.ts'
import type { Deployment } from '../../../types.ts'
import { selectorScale } from '../../autoscaling/scale/access.ts'
import { deploymentStrategy } from './strategy.ts'

export const deployments: Kind<Deployment> = {
  ...resource('apps.Deployment'),
  strategy: deploymentStrategy,
  scale: selectorScale(),
  columns: columnsOf([
    nameColumn,
    text('Ready', 'How many of the wanted pods are ready.', ({ status, spec }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`),
    text('Up-to-date', 'How many pods have the newest template.', ({ status }) => status?.updatedReplicas ?? 0),
    text('Available', 'How many pods have been ready for long enough.', ({ status }) => status?.availableReplicas ?? 0),
    ageColumn,
    ...containerColumns<Deployment>(({ spec }) => spec?.template?.spec?.containers),
    selectorColumn(deploymentSelector),
  ]),
}

// Unlike for other kinds, an empty selector is printed as an empty cell.
function deploymentSelector({ spec }: Deployment): string {
  const cell = selectorCell(spec?.selector)
  return cell === '<none>' ? '' : cell === '<error>' ? '<invalid>' : cell
}
