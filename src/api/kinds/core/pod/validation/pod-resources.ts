// Pod-level resources, which limit the sum of the containers.
// Kubernetes: pkg/apis/core/validation.validatePodResources, validatePodResourceConsistency
import { compareQuantities, formatQuantity } from '../../../../../base/quantity.ts'
import { type At, type FieldError, forbidden, invalid } from '../../../../machinery/field-error.ts'
import { isHugePageResource, quantityOf } from '../../../../machinery/validation/resources.ts'
import type { PodSpec, ResourceRequirements } from '../../../../types.ts'
import { totals } from '../resources.ts'
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
    for (const [name, total] of totals(spec, which)) {
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
