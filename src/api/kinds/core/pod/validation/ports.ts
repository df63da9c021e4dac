// Kubernetes: pkg/apis/core/validation.validateContainerPorts, checkHostPortConflicts, ValidatePortNumOrName
import { type At, duplicate, type FieldError, required } from '../../../../machinery/field-error.ts'
import { addEnumErrors } from '../../../../machinery/validation/enums.ts'
import { isValidPortName, isValidPortNumber } from '../../../../machinery/validation/names.ts'
import type { Container, IntOrString } from '../../../../types.ts'
import { addProblems } from './names.ts'

export function checkPorts(errors: FieldError[], ports: NonNullable<Container['ports']>, at: At): void {
  const names = new Set<string>()
  for (let index = 0; index < ports.length; index++) {
    const { name, containerPort, hostPort, protocol } = ports[index]!
    const here = () => `${at()}.ports[${index}]`
    if (name) {
      const problems = isValidPortName(name)
      if (problems.length > 0) addProblems(errors, problems, name, () => `${here()}.name`)
      else if (names.has(name)) errors.push(duplicate(`${here()}.name`, name))
      else names.add(name)
    }
    if (!containerPort) errors.push(required(`${here()}.containerPort`, ''))
    else addProblems(errors, isValidPortNumber(containerPort), containerPort, () => `${here()}.containerPort`)
    if (hostPort) addProblems(errors, isValidPortNumber(hostPort), hostPort, () => `${here()}.hostPort`)
    addEnumErrors(errors, protocol, 'core.ContainerPort.protocol', () => `${here()}.protocol`)
  }
}

/** No two containers may have the same host port. */
export function checkHostPortConflicts(errors: FieldError[], containers: readonly Container[], at: At): void {
  let taken: Set<string> | undefined
  for (let index = 0; index < containers.length; index++) {
    const ports = containers[index]!.ports
    if (!ports) continue
    for (let portIndex = 0; portIndex < ports.length; portIndex++) {
      const { hostPort, hostIP = '', protocol = '' } = ports[portIndex]!
      if (!hostPort) continue
      const key = `${protocol}/${hostIP}/${hostPort}`
      taken ??= new Set()
      if (taken.has(key)) errors.push(duplicate(`${at()}[${index}].ports[${portIndex}].hostPort`, key))
      else taken.add(key)
    }
  }
}

/** A port by number or by the name of a container's port. */
export function checkPortNumberOrName(errors: FieldError[], port: IntOrString | undefined, at: At): void {
  const value = port ?? 0
  addProblems(errors, typeof value === 'number' ? isValidPortNumber(value) : isValidPortName(value), value, at)
}
