/** What all of Isle's shell commands share: tables, JSON documents, errors with exit codes. */
@Export
@Version("1.4.0")
package io.isle.faces.shell;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
