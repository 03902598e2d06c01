/** The audit book: who did what, in files that outlive the node's restarts. */
package io.isle.core.observe;
