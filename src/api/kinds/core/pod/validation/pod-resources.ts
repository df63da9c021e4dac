// Pod-level resources, which limit the sum of the containers.
import { addQuantities, compareQuantities, formatQuantity, type Quantity } from '../../../../../base/quantity.ts'
import { type At, type FieldError, forbidden, invalid } from '../../../../machinery/field-error.ts'
import { isHugePageResource, quantityOf, type ResourceList } from '../../../../machinery/validation/resources.ts'
import type { PodSpec, ResourceRequirements } from '../../../../types.ts'
import type { PodFacts } from './facts.ts'
import { checkResourceRequirements } from './resource-requirements.ts'

export function checkPodResources(errors: FieldError[], spec: PodSpec, resources: ResourceRequirements, at: At, facts: PodFacts): void {
  if (spec.os?.name === 'windows') {
    errors.push(forbidden(at(), 'may not be set for a windows pod'))
    return
  }
  if (resources.claims) errors.push(forbidden(`${at()}.claims`, 'claims may not be set for Resources at pod-level'))
  checkResourceRequirements(errors, resources, at, {
    names: 'pod',
    claimNames: facts.claimNames,
    allowIndivisibleHugePagesValues: facts.options.allowIndivisibleHugePagesValues === true,
  })
  const { requests = {}, limits = {} } = resources
  const checkTotal = (which: 'requests' | 'limits', isChecked: (name: string) => boolean) => {
    const wanted = which === 'requests' ? requests : limits
    for (const [name, total] of totalOf(spec, which)) {
      if (!isChecked(name) || !Object.hasOwn(wanted, name)) continue
      const own = quantityOf(wanted[name]!)
      if (compareQuantities(total, own) <= 0) continue
      const message = `must be greater than or equal to aggregate container ${which} of ${formatQuantity(total)}`
      errors.push(invalid(`${at()}.${which}[${name}]`, formatQuantity(own), message))
    }
  }
  checkTotal('requests', () => true)
  checkTotal('limits', isHugePageResource)
  for (const [index, container] of (spec.containers ?? []).entries())
    for (const [name, text] of Object.entries(container.resources?.limits ?? {})) {
      if (!Object.hasOwn(limits, name)) continue
      const own = quantityOf(limits[name]!)
      const limit = quantityOf(text)
      if (compareQuantities(limit, own) > 0)
        errors.push(
          invalid(
            `${at()}.containers[${index}][${name}].limits`,
            formatQuantity(limit),
            `must be less than or equal to pod limits of ${formatQuantity(own)}`,
          ),
        )
    }
}

/**
 * What all containers together need: those that run side by side are added up, and an init container needs what the
 * sidecars before it need and its own.
 */
export function totalOf(spec: PodSpec, which: 'requests' | 'limits'): ReadonlyMap<string, Quantity> {
  const total = new Map<string, Quantity>()
  const sidecars = new Map<string, Quantity>()
  const most = new Map<string, Quantity>()
  for (const { resources } of spec.containers ?? []) addTo(total, resources?.[which])
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const list = resources?.[which]
    if (restartPolicy === 'Always') {
      addTo(total, list)
      addTo(sidecars, list)
      raiseTo(most, sidecars)
    } else {
      const own = new Map(sidecars)
      addTo(own, list)
      raiseTo(most, own)
    }
  }
  raiseTo(total, most)
  return total
}

function addTo(total: Map<string, Quantity>, list: ResourceList | undefined): void {
  if (!list) return
  for (const name of Object.keys(list)) {
    const before = total.get(name)
    const quantity = quantityOf(list[name]!)
    total.set(name, before === undefined ? quantity : addQuantities(before, quantity))
  }
}

function raiseTo(total: Map<string, Quantity>, list: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of list) {
    const before = total.get(name)
    if (before === undefined || compareQuantities(quantity, before) > 0) total.set(name, quantity)
  }
}
