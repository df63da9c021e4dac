// Names of declarations: `pkg/apis/core/validation.ValidatePod`, `pkg/controller/job.Controller.syncJob`, `gopkg.in/evanphx/json-patch.v4.MergePatch`.

const pattern = /^((?:[\w.-]+\/)+[\w-]+(?:\.v\d+)?)\.([A-Za-z_]\w*(?:\.(?:[A-Za-z_]\w*|\*))?)$/

/** `{ package, name }`, or undefined for what is no full name. */
export function splitName(full) {
  const [, of, name] = pattern.exec(full) ?? []
  return of === undefined ? undefined : { package: of, name }
}
