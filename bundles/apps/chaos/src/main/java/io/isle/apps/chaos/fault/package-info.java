/** Acts what a schedule says, and looks whether it had an effect. */
package io.isle.apps.chaos.fault;
