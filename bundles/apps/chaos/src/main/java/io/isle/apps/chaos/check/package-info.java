/** What must hold of a run: the ledger of all submissions and the comparison of resources. Pure. */
package io.isle.apps.chaos.check;
